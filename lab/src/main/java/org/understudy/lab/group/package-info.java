/**
 * Figures 7 and 8 of Bartoli, Prica and Antoniutti di Muro (2005) on this machine: throughput of three replicas that all serve,
 * beside one without replication; and what an update costs, in time, messages and executions.
 */
package org.understudy.lab.group;
