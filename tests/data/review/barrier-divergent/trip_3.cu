/*
Some wait at another one.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = p[threadIdx.x];
        __syncthreads();  // finds
        q[threadIdx.x] = s[threadIdx.x + 32];
    } else {
        s[threadIdx.x] = 2.0f * p[threadIdx.x];
        __syncthreads();
        q[threadIdx.x] = s[threadIdx.x - 32];
    }
}
