/*
The tail of a reduction with __syncwarp().

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
        float sum = v[threadIdx.x] + v[threadIdx.x + 32];
        for (int i = 16; i > 0; i /= 2) {
            v[threadIdx.x] = sum;
            __syncwarp();
            sum += v[(threadIdx.x + i) % 32];
            __syncwarp();
        }
        if (threadIdx.x == 0) q[0] = sum;
    }
}
