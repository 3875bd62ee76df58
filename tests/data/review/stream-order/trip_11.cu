// The next input is put where the kernel still reads the last one.
__global__ void __launch_bounds__(64) k(float *q, const float *p) { q[threadIdx.x] += p[threadIdx.x]; }
int main()
{
    float *q, *p;
    cudaMalloc(&q, 64 * sizeof(float));
    cudaMemset(q, 0, 64 * sizeof(float));
    cudaMallocManaged(&p, 64 * sizeof(float));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 64; i++)
            p[i] = i + round;  // finds
        k<<<1, 64>>>(q, p);
    }
    cudaDeviceSynchronize();
}
