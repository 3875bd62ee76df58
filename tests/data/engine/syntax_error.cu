__global__ void syntax_error(float *p)
{
    p[threadIdx.x] = 1.0f
}
