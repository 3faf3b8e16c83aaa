/** A service with several resources and its clients, stub and foreign, on simulated groups. */
package org.understudy.simulation;
