// The copy is in the stream of the launch.
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
    float *h;
    cudaMallocHost(&h, 256);
    fill<<<1, 32, 0, s>>>(q);
    cudaMemcpyAsync(h, q, 128, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    fill<<<1, 32, 0, t>>>(q);
}
