/*
Rounded up by hand.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ char room[256 + 4096];
    float *tile = reinterpret_cast<float *>(room + (4096 - static_cast<unsigned>(__cvta_generic_to_shared(room)) % 4096));
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
