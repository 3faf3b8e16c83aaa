/** What a state transfer costs the clients of a group, and how much of the state travels. */
package org.understudy.lab.transfer;
