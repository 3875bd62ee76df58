/* Lanes of a quarter warp share an element.
[lanescope]
block = 32
[buffers]
p = "f32 n:32"
q = "f32 n:32 = zeros"
*/
__global__ void __launch_bounds__(32) spread(const float *p, float *q)
{
    const int lane = threadIdx.x;
    const float own = p[lane];
    // own:
    //   thread:  n4 n3 n2 n1 n0
    const float first = __shfl_sync(~0u, own, lane & 24);
    // first: one element of eight, at every eighth lane
    //   thread:  n4 n3 [unused] [unused] [unused]
    q[lane] = own - first;
}
