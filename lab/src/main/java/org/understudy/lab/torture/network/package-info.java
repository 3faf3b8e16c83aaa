/** A network of this machine's own: a namespace for each replica, links between them, and their faults. */
package org.understudy.lab.torture.network;
