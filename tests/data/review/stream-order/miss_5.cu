// Atomics of two streams lose nothing in any order.
__global__ void __launch_bounds__(32) count(int *n)
{
    atomicAdd(&n[threadIdx.x % 4], 1);
}

int main()
{
    int *n;
    cudaMalloc(&n, 16);
    cudaMemset(n, 0, 16);
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    count<<<1, 32, 0, s>>>(n);
    count<<<1, 32, 0, t>>>(n);
}
