// The source of the targets that own precompiled.h, because CMake requires one.
int main() {}
