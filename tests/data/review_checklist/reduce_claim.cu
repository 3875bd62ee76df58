/* Sums over lane bits 0 and 1; what is left is one value for four lanes.
[lanescope]
block = 32
[buffers]
p = "f32 g:8 m:4"
q = "f32 g:8 = zeros"
*/
__global__ void __launch_bounds__(32) sums(const float *p, float *q)
{
    float x = p[threadIdx.x];
    // x:
    //   thread:  g2 g1 g0 m1 m0
    x += __shfl_xor_sync(~0u, x, 1);
    x += __shfl_xor_sync(~0u, x, 2);
    // x, the sum over m:
    //   thread:  g2 g1 g0 [unused] [unused]
    // lanescope: allow divergence (one lane of four stores)
    if (threadIdx.x % 4 == 0) q[threadIdx.x / 4] = x;
}
