/** Threads and repeated tasks, here and in a container of producers. */
package org.understudy.notification.thread;
