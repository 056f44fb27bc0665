namespace Tide;

/// <summary>A floating gauge.</summary>
public class Buoy
{
    public string Name { get; init; } = "";

    public double Offset(double level) => level - 0.12;

    public void Reset()
    {
        Console.WriteLine($"reset {Name}");
    }
}
