/**
 * Measures how fast one update reaches its subscribers and what they cost: consumers in a separate process, some of which
 * never answer, and three replicas that notify them, before and after a failover.
 */
package org.understudy.lab.notify;
