/** Daemon threads, tasks that repeat, and the end of threads: what every module with threads of its own uses. */
package org.understudy.thread;
