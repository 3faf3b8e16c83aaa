/** Attacks on a running group by a client that has no secret, and what they cost its honest clients. */
package org.understudy.lab.attack;
