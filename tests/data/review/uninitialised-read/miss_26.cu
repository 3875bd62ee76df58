/*
What another warp stores later, without a barrier, is a race and is told as one.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    q[threadIdx.x] = s[63 - threadIdx.x];  // near
    s[threadIdx.x] = 0;
}
