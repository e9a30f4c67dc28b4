#include <cstdio>

int main()
{
    std::puts("lapidary " LAPIDARY_VERSION);
}
