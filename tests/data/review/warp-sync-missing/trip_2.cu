/*
The tail of a reduction, with volatile and no __syncwarp().

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
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile float *v = s;
        v[threadIdx.x] += v[threadIdx.x + 32];
        v[threadIdx.x] += v[threadIdx.x + 16];  // finds
        v[threadIdx.x] += v[threadIdx.x + 8];
        v[threadIdx.x] += v[threadIdx.x + 4];
        v[threadIdx.x] += v[threadIdx.x + 2];
        v[threadIdx.x] += v[threadIdx.x + 1];
    }
    if (threadIdx.x == 0) q[0] = s[0];
}
