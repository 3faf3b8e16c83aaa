/** Runs a group under faults of network and processes, and checks what its clients saw. */
package org.understudy.lab.torture;
