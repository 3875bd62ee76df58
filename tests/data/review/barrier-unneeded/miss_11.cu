/*
The barrier at the end of the body orders nothing in the last iteration, and much in the others.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) {
        s[threadIdx.x] = p[64 * i + threadIdx.x];
        __syncthreads();
        sum += s[63 - threadIdx.x];
        __syncthreads();
    }
    q[threadIdx.x] = sum;
}
