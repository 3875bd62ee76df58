__global__ void __launch_bounds__(64) k(const float *p, float *q, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = 2.0f * p[i];  // finds
}

int main()
{
    const int n = 200;
    float h[n];
    for (int i = 0; i < n; ++i) h[i] = i;
    float *p, *q;
    cudaMalloc(&p, n * sizeof(float));
    cudaMalloc(&q, n * sizeof(float));
    cudaMemcpy(p, h, n * sizeof(float), cudaMemcpyHostToDevice);
    k<<<n / 64, 64>>>(p, q, n);
    cudaMemcpy(h, q, n * sizeof(float), cudaMemcpyDeviceToHost);
}
