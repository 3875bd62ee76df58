/*
[lanescope]
block = 32

[buffers]
p = "f32 i:32"
*/
__global__ void out_of_bounds(float *p)
{
    p[threadIdx.x + 1] = 1.0f;
}
