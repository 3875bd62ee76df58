// The attribute is that of another kernel.
template <int N>
__global__ void __launch_bounds__(256) k(float *q)
{
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < N; i += 256) s[i] = i;
    __syncthreads();
    q[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(256) other(float *q) { q[threadIdx.x] = 1; }
int main()
{
    float *q;
    cudaMalloc(&q, 256 * sizeof(float));
    cudaFuncSetAttribute(other, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    other<<<1, 256, 65536>>>(q);
    k<16384><<<1, 256, 65536>>>(q);  // finds
    cudaDeviceSynchronize();
}
