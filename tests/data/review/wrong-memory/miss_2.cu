// Addresses of elements, which nothing reads here.
__global__ void __launch_bounds__(32) k(float *q, float *end) { if (q + threadIdx.x < end) q[threadIdx.x] = 2; }
struct Lists { float a[64]; float b[64]; };
int main()
{
    float *d;
    Lists *l;
    cudaMalloc(&d, 64 * sizeof *d);
    cudaMalloc(&l, sizeof(Lists));
    k<<<1, 32>>>(d, &d[64]);
    k<<<1, 32>>>(l->b, l->b + 64);
    cudaDeviceSynchronize();
}
