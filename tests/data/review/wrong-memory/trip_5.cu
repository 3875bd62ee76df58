// The host fills an array of the device.
struct Data { int n; float *values; };
__global__ void __launch_bounds__(64) k(Data d) { d.values[threadIdx.x] *= 2; }
int main()
{
    Data d;
    d.n = 64;
    cudaMalloc(&d.values, d.n * sizeof(float));
    for (int i = 0; i < d.n; i++)
        d.values[i] = i;  // finds
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
}
