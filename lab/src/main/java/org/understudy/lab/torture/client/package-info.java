/** The clients of a run, which share counters. */
package org.understudy.lab.torture.client;
