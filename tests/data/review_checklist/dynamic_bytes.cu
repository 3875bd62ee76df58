// Reverses pieces of 256 in dynamic shared memory.
__global__ void __launch_bounds__(256) turn_pieces(const float *p, float *q)
{
    extern __shared__ float piece[];
    // Per-block offsets
    //   before: shape (4,256), contiguous
    //   after: shape (256,), contiguous
    p += 256 * blockIdx.x;
    q += 256 * blockIdx.x;
    piece[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = piece[255 - threadIdx.x];
}

int main()
{
    float *a, *b;
    cudaMalloc(&a, 1024 * sizeof(float));
    cudaMalloc(&b, 1024 * sizeof(float));
    cudaMemset(a, 0, 1024 * sizeof(float));
    turn_pieces<<<4, 256, 256 * sizeof(float)>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
