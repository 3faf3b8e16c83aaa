/** The operations of clients with their times and outcomes, and the faults beside them, as recorded and as read from a file. */
package org.understudy.lab.torture.history;
