// The legacy default stream waits for blocking streams, and they for it.
__global__ void __launch_bounds__(32) fill(float *q)
{
    q[threadIdx.x] = threadIdx.x;
}

__global__ void __launch_bounds__(32) use(const float *q, float *r)
{
    r[threadIdx.x] = 2 * q[threadIdx.x];
}

int main()
{
    float *q, *r;
    cudaMalloc(&q, 256);
    cudaMalloc(&r, 256);
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    float h[64];
    fill<<<1, 32, 0, s>>>(q);
    use<<<1, 32>>>(q, r);
    fill<<<1, 32, 0, t>>>(q);
    cudaMemcpy(h, r, 128, cudaMemcpyDeviceToHost);
}
