/* Loaded before the C library: of every file that is synced, a copy as it was at its last sync stands in a folder.
   A power cut leaves at least that much; a test that goes on from the copies alone has lost everything else. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void copy(const char *from, const char *to)
{
    char part[65536];
    ssize_t size = 0;
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while (in >= 0 && out >= 0 && (size = read(in, part, sizeof part)) > 0)
        if (write(out, part, size) != size)
            abort();
    if (in < 0 || out < 0 || size < 0)
        abort();
    close(in);
    close(out);
}

static int synced(int fd, long call)
{
    const char *folder = getenv("LAST_SYNC");
    char link[64], path[PATH_MAX], begun[PATH_MAX + 32], done[PATH_MAX + 32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (!folder || size <= 0 || path[0] != '/')
        return (int)syscall(call, fd);
    path[size] = 0;
    const char *name = strrchr(path, '/') + 1;
    if (strncmp(name, "games.db", 8))
        return (int)syscall(call, fd);
    snprintf(begun, sizeof begun, "%s/.%s.%ld", folder, name, (long)syscall(SYS_gettid));
    snprintf(done, sizeof done, "%s/%s", folder, name);
    copy(path, begun); /* what is written from here on is not in this sync */
    int result = (int)syscall(call, fd);
    if (!result)
        rename(begun, done);
    return result;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
