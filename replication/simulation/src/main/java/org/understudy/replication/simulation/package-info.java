/**
 * A group of cores in a world made of one seed: virtual clock, network, disks, services and clients. Equal seeds give
 * equal histories.
 */
package org.understudy.replication.simulation;
