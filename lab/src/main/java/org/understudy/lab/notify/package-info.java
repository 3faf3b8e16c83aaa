/**
 * How fast one update reaches its subscribers and what they cost: consumers in a process of their own, some of which never
 * answer, and three replicas that notify them, before a failover and after it.
 */
package org.understudy.lab.notify;
