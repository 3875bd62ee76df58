// Both paths free it.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
void clean(float *p) { cudaFree(p); }  // finds
int main()
{
    float *d;
    cudaMalloc(&d, 64 * sizeof(float));
    k<<<1, 64>>>(d);
    clean(d);
    clean(d);
}
