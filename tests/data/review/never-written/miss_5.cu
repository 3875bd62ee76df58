__global__ void __launch_bounds__(64) k(const float *p, float *q, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = 2.0f * p[i];
}

__global__ void __launch_bounds__(32) rest(const float *p, float *q, int first, int n)
{
    const int i = first + threadIdx.x;
    if (i < n) q[i] = 2.0f * p[i];
}

int main()
{
    const int n = 200, whole = n / 64 * 64;
    float h[n];
    for (int i = 0; i < n; ++i) h[i] = i;
    float *p, *q;
    cudaMalloc(&p, n * sizeof(float));
    cudaMalloc(&q, n * sizeof(float));
    cudaMemcpy(p, h, n * sizeof(float), cudaMemcpyHostToDevice);
    k<<<n / 64, 64>>>(p, q, whole);
    rest<<<1, 32>>>(p, q, whole, n);
    cudaMemcpy(h, q, n * sizeof(float), cudaMemcpyDeviceToHost);
}
