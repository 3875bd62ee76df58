/*
[lanescope]
grid = 1
block = 32
[buffers]
q = "f32 i:64 = zeros"
*/
// Arrays of one structure: rows run into each other as the author means it.
struct Tiles { float a[16], b[16]; };
__global__ void __launch_bounds__(32) k(float *q)
{
    __shared__ Tiles s;
    const int t = threadIdx.x;
    float *all = s.a;
    all[t] = t;
    __syncthreads();
    q[t] = all[31 - t];
}
