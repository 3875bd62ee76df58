// More values at once than 24 registers hold: all are loaded before a barrier and used behind it.
__global__ void spilling(const float *p, float *q)
{
    float x[64];
#pragma unroll
    for (int i = 0; i < 64; ++i) x[i] = p[256 * i + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; ++i) q[256 * i + threadIdx.x] = x[i] * x[63 - i];
}
