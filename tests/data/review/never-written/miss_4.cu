__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    q[i] = p[i] + 1.0f;
}

int main()
{
    float h[256];
    for (int i = 0; i < 256; ++i) h[i] = i;
    float *p, *q;
    cudaMalloc(&p, 256 * sizeof(float));
    cudaMalloc(&q, 512 * sizeof(float));
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<4, 64>>>(p, q);
    cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost);
}
