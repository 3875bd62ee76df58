/* Shifts by one place, from one array to another.
[lanescope]
grid = 2
block = 128
[buffers]
line = "f32 n:320"
moved = "f32 n:320 = zeros"
*/
__global__ void __launch_bounds__(128) shift(const float *__restrict__ line, float *__restrict__ moved)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    moved[i] = line[i + 32];
}

