/**
 * A group of replicas in a world generated from one seed: virtual clock, network, disks, services and clients. Equal seeds
 * give equal histories.
 */
package org.understudy.replication.simulation;
