/** Groups of replicas on this machine, for the programs of the lab. */
package org.understudy.lab.cluster;
