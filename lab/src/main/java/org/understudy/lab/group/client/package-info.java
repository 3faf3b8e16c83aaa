/** Clients of a counter that cost little: their sessions and envelopes, and one that blocks on its connections. */
package org.understudy.lab.group.client;
