// Freed before the last launch.
__global__ void __launch_bounds__(64) k(float *q, const float *p) { q[threadIdx.x] += p[threadIdx.x]; }
int main()
{
    float *p, *q;
    cudaMalloc(&p, 64 * sizeof(float));
    cudaMalloc(&q, 64 * sizeof(float));
    cudaMemset(p, 0, 64 * sizeof(float));
    cudaMemset(q, 0, 64 * sizeof(float));
    k<<<1, 64>>>(q, p);
    cudaFree(p);
    k<<<1, 64>>>(q, p);  // finds
    cudaDeviceSynchronize();
}
