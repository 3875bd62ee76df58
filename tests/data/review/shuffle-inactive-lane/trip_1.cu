/*
Half of the warp has left, and the others read from it.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    if (threadIdx.x % 32 >= 16) return;
    q[threadIdx.x] = __shfl_xor_sync(0xffff, p[threadIdx.x], 16);  // finds
}
