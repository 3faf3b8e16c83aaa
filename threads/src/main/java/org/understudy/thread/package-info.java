/** Creates daemon threads, repeats tasks and ends threads, for every module that has threads. */
package org.understudy.thread;
