/**
 * A client of the Counter as a user would write it: generated from the contract that the service publishes, made
 * fault-tolerant by the stub, with a notification consumer of its own. A sample to copy.
 */
package org.understudy.counter.client;
