/** Reads request bodies without blocking a thread, within limits for each client and in total. */
package org.understudy.container.intake;
