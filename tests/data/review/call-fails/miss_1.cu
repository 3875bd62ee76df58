// The attribute allows it.
template <int N>
__global__ void __launch_bounds__(256) k(float *q)
{
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < N; i += 256) s[i] = i;
    __syncthreads();
    q[threadIdx.x] = s[N - 1 - threadIdx.x];
}
template <class F>
void allow(F f, int bytes)
{
    cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
int main()
{
    float *q;
    cudaMalloc(&q, 256 * sizeof(float));
    auto f = k<16384>;
    allow(f, 65536);
    f<<<1, 256, 65536>>>(q);
    cudaDeviceSynchronize();
}
