/*
An aligned type.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
struct __align__(2048) Tile {
    float x[64];
};
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ Tile tile;  // finds
    tile.x[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile.x[63 - threadIdx.x];
}
