// The longest row of a sparse matrix; `start` has one entry more than there are rows.
#include <vector>

__global__ void __launch_bounds__(64) longest(const int *start, int rows, int *most)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) atomicMax(most, start[r + 1] - start[r]);  // lanescope: allow partial-lines
}

int main()
{
    const int rows = 100;
    std::vector<int> start(rows + 1);
    for (int r = 0; r < rows; ++r) start[r + 1] = start[r] + r % 9;
    int *d_start, *d_most;
    cudaMalloc(&d_start, (rows + 1) * sizeof(int));
    cudaMalloc(&d_most, sizeof(int));
    cudaMemcpy(d_start, start.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_most, 0, sizeof(int));
    longest<<<(rows + 63) / 64, 64>>>(d_start, rows, d_most);
    cudaDeviceSynchronize();
    return 0;
}
