/*
[lanescope]
block = 64

[buffers]
p = { type = "f32", axes = "i:256", init = "iota" }
q = { type = "f32", axes = "i:256", init = "zeros" }
r = { type = "f64", axes = "i:256", init = "zeros" }

[[launch]]
kernel = "scale<2>"
grid = 4
args = ["p", "q", 0.5, 256]

[[launch]]
kernel = "widen"
grid = 4
args = ["q", "r"]
*/
template <int FACTOR>
__global__ void scale(const float *p, float *q, float offset, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        q[i] = FACTOR * p[i] + offset;
}

__global__ void widen(const float *q, double *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = q[i];
    r[i] = x;
}
