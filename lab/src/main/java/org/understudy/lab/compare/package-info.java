/**
 * Tables III.1 to III.4 of Zhang's thesis, measured on this machine: what the three transfer modes cost beside strategy
 * {@code none}, and how long a failover takes to reach the clients.
 */
package org.understudy.lab.compare;
