/*
The tail of the tile is loaded, and nobody needs it.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[65];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    volatile float *v = s;
    float next = v[threadIdx.x + 1];
    q[threadIdx.x] = threadIdx.x < 63 ? next : 0.0f;
}
