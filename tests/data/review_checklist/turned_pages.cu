// Out of place transpose of pages that are not square; templates over the element.
template <class T>
__global__ void __launch_bounds__(256) turn_page(const T *page, T *turned, int rows, int cols)
{
    __shared__ T tile[32][33];
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = page[(r + k) * cols + c];
    __syncthreads();
    const int tr = blockIdx.y * 32 + threadIdx.x, tc = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) turned[(tc + k) * rows + tr] = tile[threadIdx.x][threadIdx.y + k];
}

int main()
{
    const int rows = 64, cols = 96;
    float *host = new float[rows * cols], *page, *turned;
    for (int i = 0; i < rows * cols; ++i) host[i] = i;
    cudaMalloc(&page, rows * cols * sizeof(float));
    cudaMalloc(&turned, rows * cols * sizeof(float));
    cudaMemcpy(page, host, rows * cols * sizeof(float), cudaMemcpyHostToDevice);
    turn_page<float><<<dim3(cols / 32, rows / 32), dim3(32, 8)>>>(page, turned, rows, cols);
    cudaMemcpy(host, turned, rows * cols * sizeof(float), cudaMemcpyDeviceToHost);
    delete[] host;
}
